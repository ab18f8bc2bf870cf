// The gateway database's schema, as numbered steps; meta.schema has the number of applied steps.

/**
 * A program with this many steps can use the file, by its `user_version`. Raised only by a step that is not
 * additive (a table or column removed, or with another meaning): going back to the previous release is then impossible.
 */
export const READABLE_SINCE = 1

export const MIGRATIONS: readonly string[] = [
  `
  -- stream: random identity of this database. epoch: +1 per connection to the relay. last_seq: last job of the stream. clock: last known relay time.
  create table meta (key text primary key, value text not null) strict, without rowid;

  create table printers (
    printer_id text primary key, name text not null, host text not null, port integer not null, profile_id text not null,
    stations text not null,           -- JSON array of station names
    is_default integer not null,
    capability text,                  -- JSON printerCapability, null until the printer has answered something
    created_at_ms integer not null
  ) strict;

  -- One job of the gateway link. The row stays as a tombstone against doubles until it is pruned.
  create table jobs (
    job_id text primary key, stream text not null, seq integer not null,
    kind text not null,               -- order | reprint | note | receipt | label | invalid (its document was refused; doc is empty)
    service_order_id text, doc text not null, possible_duplicate integer not null,
    digest text not null,             -- short hash of doc: a flipped bit must not reach paper
    not_before_ms integer, expires_at_ms integer, received_at_ms integer not null,
    settled_at_ms integer,            -- when its last ticket settled
    cancelled_at_ms integer, cancel_outcome text,
    scrubbed_at_ms integer            -- when the customer's data were taken out of doc
  ) strict;
  create index jobs_settled on jobs (settled_at_ms);
  create index jobs_unscrubbed on jobs (settled_at_ms) where scrubbed_at_ms is null;
  create index jobs_expiry on jobs (expires_at_ms) where expires_at_ms is not null and settled_at_ms is null;

  -- Jobs that the relay took back before they arrived: they must not print when they do.
  create table cancelled_ahead (job_id text primary key, at_ms integer not null) strict, without rowid;

  -- One ticket of a job at one printer. position is the printing order.
  create table tickets (
    position integer primary key, ticket_id text not null unique, job_id text not null references jobs(job_id),
    printer_id text not null,                          -- '' while no printer is set up
    kind text not null,                                -- order (what the job is) | void (the slip after it was taken back)
    content text not null,                             -- JSON: which items of the order, station, also at
    digest text not null,                              -- short hash of ticket_id, kind and content
    state text not null,                               -- held | queued | sending | printed | failed | cancelled | uncertain
    attempts integer not null default 0,
    possible_duplicate integer not null default 0,     -- the next attempt carries the banner
    not_before_ms integer,
    started_at_ms integer, first_byte_at_ms integer, settled_at_ms integer,
    confirmation text, method text, reason text
  ) strict;
  create index tickets_queue on tickets (printer_id, position) where state in ('queued', 'sending');
  create index tickets_held on tickets (not_before_ms) where state = 'held';
  create index tickets_job on tickets (job_id);

  -- Outbox to the relay: a result waits here until the relay has acknowledged it.
  create table reports (
    report_id integer primary key, job_id text not null unique, payload text not null, created_at_ms integer not null
  ) strict;
  `,
  `
  -- JSON printerSettings; null: the defaults.
  alter table printers add column settings text;

  -- received_at_ms: the message came. accepted_at_ms: written to this file, just before the commit.
  alter table jobs add column accepted_at_ms integer;

  -- Further kinds: extra (receipt or label of an order: never decides its result) | reprint (asked for here) | local (the gateway's own).
  -- Further state: parked (waits for a person; reason: doubt | stale).
  alter table tickets add column paper text not null default 'kitchen';     -- kitchen | receipt | label
  alter table tickets add column urgent integer not null default 0;         -- 1: printed before what waits (slips, test tickets, the drawer)
  alter table tickets add column moved_from text;                           -- the printer that it was meant for, when another one has it
  alter table tickets add column moved_at_ms integer;
  alter table tickets add column attempted_at_ms integer;                   -- the attempt under way was begun
  alter table tickets add column connected_at_ms integer;
  alter table tickets add column last_byte_at_ms integer;
  drop index tickets_queue;
  create index tickets_queue on tickets (printer_id, urgent desc, position) where state in ('queued', 'sending');
  create index tickets_parked on tickets (printer_id, position) where state = 'parked';
  create index tickets_moved on tickets (moved_from, position) where moved_from is not null;

  -- Each attempt that wrote bytes or settled its ticket; written in the commit that ends it.
  create table attempts (
    attempt_id integer primary key, ticket_id text not null, attempt integer not null, printer_id text not null,
    started_at_ms integer, connected_at_ms integer, first_byte_at_ms integer, last_byte_at_ms integer, ended_at_ms integer not null,
    outcome text not null,            -- printed | failed | uncertain | retry | parked
    method text, reason text, detail text
  ) strict;
  create index attempts_ticket on attempts (ticket_id);
  create index attempts_printer on attempts (printer_id, attempt_id);
  -- Whose next copy is marked: the last that its printer got may be a part of a ticket.
  insert into attempts (ticket_id, attempt, printer_id, started_at_ms, first_byte_at_ms, ended_at_ms, outcome, reason)
    select ticket_id, attempts, printer_id, started_at_ms, first_byte_at_ms, coalesce(started_at_ms, 0), 'retry', reason
    from tickets where state = 'queued' and attempts > 0 and possible_duplicate = 1 order by position;

  -- A printer whose tickets go to its backup until it prints again.
  create table absences (printer_id text primary key, since_ms integer not null) strict, without rowid;

  -- routing: JSON routingRules. configured: JSON of the printers that GATEWAY_PRINTERS named at the last start.
  insert into meta (key, value) values ('routing', '[]'), ('configured', '[]');
  `,
  `
  -- The box: users and displays, what the kitchen has done, configuration from the cloud. Additive only: an older program opens this file.

  -- People who may use the box's page. password: scrypt with its salt and costs.
  create table users (
    user_id text primary key, name text not null unique collate nocase, role text not null,   -- technician | manager
    password text not null, created_at_ms integer not null
  ) strict, without rowid;
  -- Browsers that are signed in. token_hash: SHA-256 of the cookie.
  create table sessions (
    token_hash text primary key, user_id text not null references users(user_id) on delete cascade,
    created_at_ms integer not null, seen_at_ms integer not null
  ) strict, without rowid;
  -- box_settings: JSON boxSettings. setup_code: JSON {hash, wrong} of the one-time code that lets the first user in; empty: none.
  insert into meta (key, value) values ('box_settings', '{}'), ('setup_code', '');

  -- Screens in the kitchen. stations: JSON array of names; empty: expo. backup_printer_id: prints what the screen does not show.
  create table displays (
    display_id text primary key, name text not null, stations text not null, language text not null,
    backup_printer_id text, token_hash text unique, created_at_ms integer not null, claimed_at_ms integer,
    buzz_after_s integer              -- the backup printer sounds when nobody has looked at an order for so long; null: never
  ) strict, without rowid;
  -- One-time codes by which a screen gets its token; hashed.
  create table display_codes (
    code_hash text primary key, display_id text not null, expires_at_ms integer not null
  ) strict, without rowid;
  -- What the kitchen has done with an order. No customer's data: those stand in jobs.doc only.
  create table kitchen_orders (
    order_id text primary key, ready_at_ms integer, picked_up_at_ms integer, recalled_at_ms integer, updated_at_ms integer not null
  ) strict, without rowid;
  create table kitchen_stations (
    order_id text not null, station text not null, started_at_ms integer, ready_at_ms integer, primary key (order_id, station)
  ) strict, without rowid;
  -- Lines of an order that a cook has struck off. line: its place in the order.
  create table kitchen_lines (
    order_id text not null, line integer not null, struck_at_ms integer not null, primary key (order_id, line)
  ) strict, without rowid;
  -- Acts by the id that the screen made: the same id is the same act.
  create table kitchen_acts (act_id text primary key, outcome text not null, at_ms integer not null) strict, without rowid;
  -- Outbox to the relay: ready and completed, due when they can no longer be taken back. The row stays, so that a second Ready is no second fact.
  create table kitchen_facts (
    fact_id integer primary key, order_id text not null, fact text not null, at_ms integer not null, due_at_ms integer not null,
    acked_at_ms integer, unique (order_id, fact)
  ) strict;
  create index kitchen_facts_open on kitchen_facts (fact_id) where acked_at_ms is null;
  -- Which screen has drawn an order, or whose paper it went to instead; that somebody stood there; whose buzzer called.
  create table kitchen_seen (
    order_id text not null, display_id text not null, seen_at_ms integer, paper_at_ms integer, void_seen_at_ms integer,
    change_seen_at_ms integer, noticed_at_ms integer, buzzed_at_ms integer,
    primary key (order_id, display_id)
  ) strict, without rowid;

  -- Who last wrote a field of a printer, and when by the relay's clock: the later of box and cloud wins.
  create table printer_writes (
    printer_id text not null, field text not null,   -- name | address | profileId | stations
    at_ms integer not null, who text not null, primary key (printer_id, field)
  ) strict, without rowid;
  -- Printers that the cloud proposes. printer_id: ours; null while it was never added, or when it was removed here.
  create table cloud_printers (
    cloud_id text primary key, printer_id text unique, removed_at_ms integer, removed_by text
  ) strict, without rowid;
  -- JSON {ver, sha256, doc, result}: the last configuration from the cloud, and our answer to it.
  insert into meta (key, value) values ('cloud_config', '');
  `,
  `
  -- Courses that were fired, each once. job_id: the job that prints it; null without paper. acked_at_ms: the relay knows of it.
  create table kitchen_courses (
    order_id text not null, course integer not null, fired_at_ms integer not null, job_id text, acked_at_ms integer,
    primary key (order_id, course)
  ) strict, without rowid;
  create index kitchen_courses_open on kitchen_courses (fired_at_ms) where acked_at_ms is null;

  -- target: the printer that has the tickets of an absent one now; null: as its backups say (of an older program).
  alter table absences add column target text;

  -- Characters that the last paper of the ticket tells by their code points, since no font has them; null: not known.
  alter table tickets add column unprintable integer;
  create index tickets_unprintable on tickets (settled_at_ms) where unprintable > 0;
  `,
  `
  -- Backups of displays that an older program left named after it took the printer away.
  update displays set backup_printer_id = null where backup_printer_id not in (select printer_id from printers);
  `,
  `
  -- The device behind each printer's name: JSON knownDevice; null: it has not said anything of itself yet.
  alter table printers add column device text;
  `,
  `
  -- Why the order was called off, in its caller's words: for the screens, which have no VOID slip.
  alter table jobs add column cancel_reason text;
  `,
  `
  -- What waits away from the printer that it was meant for: asked whenever a printer is, so it must not cost more when more waits.
  create index tickets_away on tickets (moved_from, printer_id) where moved_from is not null and state in ('queued', 'sending');
  `,
  `
  -- Claims of tickets, ever; and JSON {id, machine}: the machine that the database is bound to, empty before.
  -- allowed_addresses: JSON array of {host, port} where printers may stand beyond the rule; empty: the next start writes where they stand.
  insert or ignore into meta (key, value) values ('claims', '0'), ('bound', ''), ('allowed_addresses', '');
  `,
  `
  -- The manager's report, made afterwards from what stands above and never in a commit that prints: what became of orders and of prints, by the
  -- day and hour of the restaurant. times: JSON [class, how many, ...] of report-histogram.ts. Nothing of a guest.
  -- station: as the menu writes it; is_station 0: the whole order, its station is ''.
  create table report_orders (
    day text not null, is_station integer not null, hour integer not null, station text not null, order_type text not null,
    orders integer not null, timed integer not null, late integer not null, voided integer not null, times text not null,
    primary key (day, is_station, hour, station, order_type)
  ) strict, without rowid;
  create table report_prints (
    day text not null, hour integer not null, printer_id text not null, name text not null,
    printed integer not null, copies integer not null, doubts integer not null, failed integer not null, times text not null,
    primary key (day, hour, printer_id)
  ) strict, without rowid;
  -- JSON {settledMs, position, attemptId, attemptMs}: how far the report has counted; empty: nothing yet.
  insert or ignore into meta (key, value) values ('report_counted', '');
  `,
  `
  -- What a screen is for: kitchen | runner | pick-up. show_names: 1: a pick-up board shows first names beside the numbers.
  alter table displays add column kind text not null default 'kitchen';
  alter table displays add column show_names integer not null default 0;
  `,
]
