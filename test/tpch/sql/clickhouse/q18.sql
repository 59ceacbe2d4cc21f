select c_name, c_custkey, o_orderkey, o_orderdate, o_totalprice, quantity
from (
  select o_custkey as c_custkey, o_orderkey, o_orderdate, o_totalprice, quantity
  from (
    select l_orderkey as o_orderkey, sum(l_quantity) as quantity
    from (select l_orderkey, l_quantity from tpch.lineitem)
    group by o_orderkey)
  inner join (select o_orderkey, o_custkey, o_orderdate, o_totalprice from tpch.orders)
  using o_orderkey
  where quantity > 300)
inner join tpch.customer using c_custkey
order by o_totalprice desc, o_orderdate
limit 100
