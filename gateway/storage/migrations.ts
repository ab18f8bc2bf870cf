// The gateway database's schema, one numbered step a release; user_version says how far a file has come.

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
]
