select s_suppkey, s_name, s_address, s_phone, total_revenue
from supplier, (
  select l_suppkey as supplier_no, sum(l_extendedprice * (1 - l_discount)) as total_revenue
  from lineitem
  where l_shipdate >= '1996-01-01' and l_shipdate < '1996-04-01'
  group by l_suppkey) as revenue
where s_suppkey = supplier_no and total_revenue = (
  select max(total_revenue) from (
    select sum(l_extendedprice * (1 - l_discount)) as total_revenue
    from lineitem
    where l_shipdate >= '1996-01-01' and l_shipdate < '1996-04-01'
    group by l_suppkey) as revenues)
order by s_suppkey
