select p_brand, p_type, p_size, uniqExact(ps_suppkey) as supplier_cnt
from (
  select ps_partkey as p_partkey, ps_suppkey
  from tpch.partsupp
  where ps_suppkey not in (select s_suppkey from tpch.supplier where s_comment like '%Customer%Complaints%'))
inner join (
  select p_partkey, p_brand, p_type, p_size
  from tpch.part
  where p_brand <> 'Brand#45' and p_type not like 'MEDIUM POLISHED%' and p_size in (49, 14, 23, 45, 19, 3, 36, 9))
using p_partkey
group by p_brand, p_type, p_size
order by supplier_cnt desc, p_brand, p_type, p_size
