select count(), toFloat64(sum(l_extendedprice)) / 7
from (
  select l_partkey, l_quantity, l_extendedprice
  from tpch.lineitem
  where l_partkey in (select p_partkey from tpch.part where p_brand = 'Brand#23' and p_container = 'MED BOX'))
inner join (
  select l_partkey, sum(toFloat64(l_quantity)) / count() as usual from tpch.lineitem group by l_partkey)
using l_partkey
where toFloat64(l_quantity) < 0.2 * usual
