select count(*), sum(l_extendedprice) / 7.0 as avg_yearly
from lineitem, part, (select l_partkey as usual_part, 0.2 * avg(l_quantity) as usual from lineitem group by l_partkey) as usual
where p_partkey = l_partkey and p_brand = 'Brand#23' and p_container = 'MED BOX'
  and usual_part = p_partkey and l_quantity < usual
