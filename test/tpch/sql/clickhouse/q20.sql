select s_name, s_address
from tpch.supplier
where s_nationkey in (select n_nationkey from tpch.nation where n_name = 'CANADA') and s_suppkey in (
  select ps_suppkey
  from (
    select ps_partkey, ps_suppkey, ps_availqty
    from tpch.partsupp where ps_partkey in (select p_partkey from tpch.part where p_name like 'forest%'))
  inner join (
    select l_partkey as ps_partkey, l_suppkey as ps_suppkey, sum(toFloat64(l_quantity)) as quantity
    from tpch.lineitem
    where l_shipdate >= '1994-01-01' and l_shipdate < '1995-01-01'
    group by ps_partkey, ps_suppkey)
  using ps_partkey, ps_suppkey
  where ps_availqty > 0.5 * quantity)
order by s_name
