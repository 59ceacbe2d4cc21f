select l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (1 - l_discount)),
  sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)),
  toFloat64(sum(l_quantity)) / count(), toFloat64(sum(l_extendedprice)) / count(), toFloat64(sum(l_discount)) / count(), count()
from (
  select l_returnflag, l_linestatus, l_quantity, l_extendedprice, l_discount, l_tax
  from tpch.lineitem where l_shipdate <= '1998-09-02')
group by l_returnflag, l_linestatus
order by l_returnflag, l_linestatus
