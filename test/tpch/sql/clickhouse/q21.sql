select s_name, count() as numwait
from (
  select l_orderkey, l_suppkey as s_suppkey
  from tpch.lineitem
  where l_receiptdate > l_commitdate and l_orderkey in (select o_orderkey from tpch.orders where o_orderstatus = 'F') and l_orderkey in (
    select l_orderkey
    from tpch.lineitem
    group by l_orderkey
    having uniqExact(l_suppkey) > 1 and uniqExactIf(l_suppkey, l_receiptdate > l_commitdate) = 1))
inner join (
  select s_suppkey, s_name from tpch.supplier where s_nationkey in (select n_nationkey from tpch.nation where n_name = 'SAUDI ARABIA'))
using s_suppkey
group by s_name
order by numwait desc, s_name
limit 100
