create table region (region_id bigint, region_name varchar);
insert into region values (1, 'North'), (2, 'South');

-- Region 9 has no row. The sale of region 2 without a status has a null there; one amount is null.
create table sale (sale_id bigint, region_id bigint, status varchar, amount decimal(18, 2), pieces integer, cost decimal(18, 2), sold_at timestamp);
insert into sale values
  (9007199254740993, 1, 'done', 0.10, 1, 0.05, '2024-01-31 23:59:59'),
  (9007199254740991, 1, 'open', 0.20, 2, 0.10, '2024-02-01 00:00:00'),
  (3, 2, null, 0.30, 3, 0.10, '2024-02-29 12:00:00'),
  (4, 9, '50%', null, 1, null, '2024-12-30 08:00:00'),
  (5, 2, 'Straße', 10.00, 1, 9.00, '2025-01-01 00:00:00');
