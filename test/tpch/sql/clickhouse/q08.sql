select toYear(o_orderdate) as o_year,
  toFloat64(sum(if(n_name = 'BRAZIL', l_extendedprice * (1 - l_discount), 0 * l_extendedprice * l_discount)))
    / toFloat64(sum(l_extendedprice * (1 - l_discount)))
from (
  select l_suppkey as s_suppkey, l_extendedprice, l_discount, o_orderdate
  from (
    select l_orderkey, l_suppkey, l_extendedprice, l_discount
    from tpch.lineitem where l_partkey in (select p_partkey from tpch.part where p_type = 'ECONOMY ANODIZED STEEL'))
  inner join (
    select o_orderkey as l_orderkey, o_orderdate
    from tpch.orders
    where o_orderdate >= '1995-01-01' and o_orderdate <= '1996-12-31' and o_custkey in (
      select c_custkey from tpch.customer where c_nationkey in (
        select n_nationkey from tpch.nation where n_regionkey in (select r_regionkey from tpch.region where r_name = 'AMERICA'))))
  using l_orderkey)
inner join (
  select s_suppkey, n_name from tpch.supplier inner join (select n_nationkey as s_nationkey, n_name from tpch.nation) using s_nationkey)
using s_suppkey
group by o_year
order by o_year
