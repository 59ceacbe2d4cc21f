select s_name, s_address
from supplier, nation
where s_suppkey in (
    select ps_suppkey
    from partsupp, (
      select l_partkey, l_suppkey, 0.5 * sum(l_quantity) as half
      from lineitem
      where l_shipdate >= '1994-01-01' and l_shipdate < '1995-01-01'
      group by l_partkey, l_suppkey) as sold
    where ps_partkey in (select p_partkey from part where p_name like 'forest%')
      and l_partkey = ps_partkey and l_suppkey = ps_suppkey and ps_availqty > half)
  and s_nationkey = n_nationkey and n_name = 'CANADA'
order by s_name
