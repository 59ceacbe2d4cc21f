select o_orderpriority, count()
from tpch.orders
where o_orderdate >= '1993-07-01' and o_orderdate < '1993-10-01'
  and o_orderkey in (select l_orderkey from tpch.lineitem where l_commitdate < l_receiptdate)
group by o_orderpriority
order by o_orderpriority
