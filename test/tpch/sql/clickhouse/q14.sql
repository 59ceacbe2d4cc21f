select 100 * toFloat64(sum(if(p_type like 'PROMO%', l_extendedprice * (1 - l_discount), 0 * l_extendedprice * l_discount)))
  / toFloat64(sum(l_extendedprice * (1 - l_discount)))
from (
  select l_partkey as p_partkey, l_extendedprice, l_discount
  from tpch.lineitem where l_shipdate >= '1995-09-01' and l_shipdate < '1995-10-01')
inner join tpch.part using p_partkey
