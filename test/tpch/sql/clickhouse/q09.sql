select n_name, toYear(o_orderdate) as o_year, sum(l_extendedprice * (1 - l_discount) - ps_supplycost * l_quantity)
from (
  select l_suppkey, l_quantity, l_extendedprice, l_discount, ps_supplycost, o_orderdate
  from (
    select l_orderkey, l_suppkey, l_quantity, l_extendedprice, l_discount, ps_supplycost
    from (
      select l_orderkey, l_partkey, l_suppkey, l_quantity, l_extendedprice, l_discount
      from tpch.lineitem where l_partkey in (select p_partkey from tpch.part where p_name like '%green%'))
    inner join (select ps_partkey as l_partkey, ps_suppkey as l_suppkey, ps_supplycost from tpch.partsupp)
    using l_partkey, l_suppkey)
  inner join (select o_orderkey as l_orderkey, o_orderdate from tpch.orders)
  using l_orderkey)
inner join (
  select s_suppkey as l_suppkey, n_name
  from tpch.supplier inner join (select n_nationkey as s_nationkey, n_name from tpch.nation) using s_nationkey)
using l_suppkey
group by n_name, o_year
order by n_name, o_year desc
