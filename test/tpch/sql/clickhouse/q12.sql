select l_shipmode, sum(if(o_orderpriority in ('1-URGENT', '2-HIGH'), 1, 0)), sum(if(o_orderpriority in ('1-URGENT', '2-HIGH'), 0, 1))
from (
  select l_orderkey, l_shipmode
  from tpch.lineitem
  where l_shipmode in ('MAIL', 'SHIP') and l_commitdate < l_receiptdate and l_shipdate < l_commitdate
    and l_receiptdate >= '1994-01-01' and l_receiptdate < '1995-01-01')
inner join (select o_orderkey as l_orderkey, o_orderpriority from tpch.orders)
using l_orderkey
group by l_shipmode
order by l_shipmode
