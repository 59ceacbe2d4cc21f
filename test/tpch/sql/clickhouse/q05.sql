select n_name, sum(l_extendedprice * (1 - l_discount)) as revenue
from (
  select l_extendedprice, l_discount, c_nationkey, l_suppkey
  from (select l_orderkey, l_suppkey, l_extendedprice, l_discount from tpch.lineitem)
  inner join (
    select o_orderkey as l_orderkey, c_nationkey
    from (select o_orderkey, o_custkey as c_custkey from tpch.orders where o_orderdate >= '1994-01-01' and o_orderdate < '1995-01-01')
    inner join tpch.customer using c_custkey)
  using l_orderkey)
inner join (
  select s_suppkey as l_suppkey, s_nationkey as c_nationkey, n_name
  from tpch.supplier inner join (
    select n_nationkey as s_nationkey, n_name
    from tpch.nation inner join (select r_regionkey as n_regionkey from tpch.region where r_name = 'ASIA') using n_regionkey)
  using s_nationkey)
using l_suppkey, c_nationkey
group by n_name
order by revenue desc
