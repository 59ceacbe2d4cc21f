select c_custkey, c_name, revenue, c_acctbal, n_name, c_address, c_phone, c_comment
from (
  select c_custkey, sum(l_extendedprice * (1 - l_discount)) as revenue
  from (select l_orderkey, l_extendedprice, l_discount from tpch.lineitem where l_returnflag = 'R')
  inner join (
    select o_orderkey as l_orderkey, o_custkey as c_custkey
    from tpch.orders where o_orderdate >= '1993-10-01' and o_orderdate < '1994-01-01')
  using l_orderkey
  group by c_custkey)
inner join (
  select c_custkey, c_name, c_acctbal, n_name, c_address, c_phone, c_comment
  from tpch.customer inner join (select n_nationkey as c_nationkey, n_name from tpch.nation) using c_nationkey)
using c_custkey
order by revenue desc
limit 20
