select l_orderkey, sum(l_extendedprice * (1 - l_discount)) as revenue, o_orderdate, o_shippriority
from (select l_orderkey, l_extendedprice, l_discount from tpch.lineitem where l_shipdate > '1995-03-15')
inner join (
  select o_orderkey as l_orderkey, o_orderdate, o_shippriority
  from tpch.orders
  where o_orderdate < '1995-03-15' and o_custkey in (select c_custkey from tpch.customer where c_mktsegment = 'BUILDING'))
using l_orderkey
group by l_orderkey, o_orderdate, o_shippriority
order by revenue desc, o_orderdate
limit 10
