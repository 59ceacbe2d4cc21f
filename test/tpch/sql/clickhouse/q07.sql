select supp_nation, cust_nation, toYear(l_shipdate) as l_year, sum(l_extendedprice * (1 - l_discount))
from (
  select l_shipdate, l_extendedprice, l_discount, l_suppkey, cust_nation
  from (
    select l_orderkey, l_suppkey, l_shipdate, l_extendedprice, l_discount
    from tpch.lineitem where l_shipdate >= '1995-01-01' and l_shipdate <= '1996-12-31')
  inner join (
    select o_orderkey as l_orderkey, cust_nation
    from (select o_orderkey, o_custkey as c_custkey from tpch.orders)
    inner join (
      select c_custkey, cust_nation
      from tpch.customer inner join (
        select n_nationkey as c_nationkey, n_name as cust_nation from tpch.nation where n_name in ('FRANCE', 'GERMANY'))
      using c_nationkey)
    using c_custkey)
  using l_orderkey)
inner join (
  select s_suppkey as l_suppkey, supp_nation
  from tpch.supplier inner join (
    select n_nationkey as s_nationkey, n_name as supp_nation from tpch.nation where n_name in ('FRANCE', 'GERMANY'))
  using s_nationkey)
using l_suppkey
where supp_nation <> cust_nation
group by supp_nation, cust_nation, l_year
order by supp_nation, cust_nation, l_year
