// Fourteenth schema of the relay: people who sign in to the dashboard, mail that leaves, and what of a merchant was granted. Columns are explained in ../schema-people.ts.

import { runs } from './run-statements.ts'

export const keepsOlderPrograms = true

export const up = runs([
  `create table users (id text primary key, email_norm text not null, email text not null, name text not null, language text not null, password_hash text,
    email_verified_at bigint, is_operator integer not null, disabled_at bigint, created_at bigint not null)`,
  `create unique index users_email on users (email_norm)`,
  `create table memberships (user_id text not null, account_id text not null, role text not null, created_at bigint not null, primary key (user_id, account_id))`,
  `create index memberships_account on memberships (account_id)`,
  `create table passkeys (id text primary key, credential_id text not null, user_id text not null, public_key text not null, counter bigint not null, transports text not null,
    backed_up integer not null, name text not null, created_at bigint not null, last_used_at bigint)`,
  `create unique index passkeys_credential on passkeys (credential_id)`,
  `create index passkeys_user on passkeys (user_id)`,
  `create table login_sessions (id text primary key, token_hash text not null, user_id text not null, created_at bigint not null, seen_at bigint not null, elevated_until bigint,
    method text not null, address text not null, agent text not null, view_account_id text, view_reason text, view_until bigint)`,
  `create unique index login_sessions_token on login_sessions (token_hash)`,
  `create index login_sessions_user on login_sessions (user_id)`,
  `create index login_sessions_seen on login_sessions (seen_at)`,
  `create index login_sessions_created on login_sessions (created_at)`,
  `create table email_codes (id text primary key, email_norm text not null, kind text not null, code_hash text not null, details text not null, account_id text, role text,
    made_by text, address text not null, tries integer not null, expires_at bigint not null, used_at bigint, created_at bigint not null)`,
  `create index email_codes_email on email_codes (email_norm, created_at)`,
  `create index email_codes_address on email_codes (address, created_at)`,
  `create index email_codes_account on email_codes (account_id) where account_id is not null`,
  `create index email_codes_expired on email_codes (expires_at)`,
  `create table spent_challenges (challenge_hash text primary key, expires_at bigint not null)`,
  `create index spent_challenges_expired on spent_challenges (expires_at)`,
  `create table live_requests (account_id text primary key, text text not null, asked_at bigint not null, answered_at bigint, answer text)`,
  `create table notices (id text primary key, account_id text, kind text not null, to_enc text not null, text_enc text not null, language text not null, state text not null,
    attempts integer not null, next_at bigint, lease_until bigint, lease_by text, error text, expires_at bigint not null, created_at bigint not null, settled_at bigint)`,
  `create index notices_due on notices (next_at, id) where next_at is not null`,
  `create index notices_urgent on notices (expires_at, id) where next_at is not null`,
  `create index notices_leased on notices (lease_until) where lease_until is not null`,
  `create index notices_account on notices (account_id, created_at)`,
  `create index notices_created on notices (created_at)`,
  `alter table merchant_grants add column scopes text`,
  `alter table audit_log add column via text`,
  `alter table audit_log add column address text`,
])
