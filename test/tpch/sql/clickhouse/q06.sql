select sum(l_extendedprice * l_discount)
from (
  select l_extendedprice, l_discount
  from tpch.lineitem
  where l_shipdate >= '1994-01-01' and l_shipdate < '1995-01-01'
    and l_discount >= toDecimal64('0.05', 2) and l_discount <= toDecimal64('0.07', 2) and l_quantity < 24)
