select ps_partkey, stock
from (
  select 1 as one, ps_partkey, sum(ps_supplycost * ps_availqty) as stock
  from (
    select ps_partkey, ps_supplycost, ps_availqty
    from tpch.partsupp
    where ps_suppkey in (
      select s_suppkey from tpch.supplier where s_nationkey in (select n_nationkey from tpch.nation where n_name = 'GERMANY')))
  group by ps_partkey)
inner join (
  select 1 as one, sum(ps_supplycost * ps_availqty) as whole
  from (
    select ps_partkey, ps_supplycost, ps_availqty
    from tpch.partsupp
    where ps_suppkey in (
      select s_suppkey from tpch.supplier where s_nationkey in (select n_nationkey from tpch.nation where n_name = 'GERMANY'))))
using one
where stock * 200 > whole
order by stock desc
