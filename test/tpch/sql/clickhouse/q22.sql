select substring(c_phone, 1, 2) as cntrycode, count(), sum(c_acctbal)
from tpch.customer
where cntrycode in ('13', '31', '23', '29', '30', '18', '17') and c_custkey not in (select o_custkey from tpch.orders)
  and toFloat64(c_acctbal) > (
    select sum(toFloat64(c_acctbal)) / count()
    from tpch.customer
    where c_acctbal > 0 and substring(c_phone, 1, 2) in ('13', '31', '23', '29', '30', '18', '17'))
group by cntrycode
order by cntrycode
