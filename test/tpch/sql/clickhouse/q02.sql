select s_acctbal, s_name, n_name, ps_partkey, p_mfgr, s_address, s_phone, s_comment
from (
  select ps_partkey, ps_supplycost, p_mfgr, s_acctbal, s_name, n_name, s_address, s_phone, s_comment
  from (
    select ps_partkey, ps_suppkey, ps_supplycost, p_mfgr
    from tpch.partsupp inner join (
      select p_partkey as ps_partkey, p_mfgr from tpch.part where p_size = 15 and p_type like '%BRASS') using ps_partkey)
  inner join (
    select s_suppkey as ps_suppkey, s_acctbal, s_name, n_name, s_address, s_phone, s_comment
    from tpch.supplier inner join (
      select n_nationkey as s_nationkey, n_name
      from tpch.nation inner join (select r_regionkey as n_regionkey from tpch.region where r_name = 'EUROPE') using n_regionkey)
    using s_nationkey)
  using ps_suppkey)
inner join (
  select ps_partkey, min(ps_supplycost) as lowest
  from (
  select ps_partkey, ps_supplycost, p_mfgr, s_acctbal, s_name, n_name, s_address, s_phone, s_comment
  from (
    select ps_partkey, ps_suppkey, ps_supplycost, p_mfgr
    from tpch.partsupp inner join (
      select p_partkey as ps_partkey, p_mfgr from tpch.part where p_size = 15 and p_type like '%BRASS') using ps_partkey)
  inner join (
    select s_suppkey as ps_suppkey, s_acctbal, s_name, n_name, s_address, s_phone, s_comment
    from tpch.supplier inner join (
      select n_nationkey as s_nationkey, n_name
      from tpch.nation inner join (select r_regionkey as n_regionkey from tpch.region where r_name = 'EUROPE') using n_regionkey)
    using s_nationkey)
  using ps_suppkey)
  group by ps_partkey)
using ps_partkey
where ps_supplycost = lowest
order by s_acctbal desc, n_name, s_name, ps_partkey
limit 100
