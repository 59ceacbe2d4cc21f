select s_suppkey, s_name, s_address, s_phone, total_revenue
from (
  select l_suppkey as s_suppkey, total_revenue
  from (
    select 1 as one, l_suppkey, total_revenue from (
    select l_suppkey, sum(l_extendedprice * (1 - l_discount)) as total_revenue
    from (
      select l_suppkey, l_extendedprice, l_discount
      from tpch.lineitem where l_shipdate >= '1996-01-01' and l_shipdate < '1996-04-01')
    group by l_suppkey))
  inner join (
    select 1 as one, max(total_revenue) as most from (
    select l_suppkey, sum(l_extendedprice * (1 - l_discount)) as total_revenue
    from (
      select l_suppkey, l_extendedprice, l_discount
      from tpch.lineitem where l_shipdate >= '1996-01-01' and l_shipdate < '1996-04-01')
    group by l_suppkey))
  using one
  where total_revenue = most)
inner join tpch.supplier using s_suppkey
order by s_suppkey
