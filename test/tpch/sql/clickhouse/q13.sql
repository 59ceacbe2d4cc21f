select ifNull(orders, 0) as c_count, count() as custdist
from tpch.customer left join (
  select o_custkey as c_custkey, count() as orders
  from tpch.orders where o_comment not like '%special%requests%'
  group by c_custkey)
using c_custkey
group by c_count
order by custdist desc, c_count desc
