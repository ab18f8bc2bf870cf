// Words for what the audit log names only by an id.
import { expect, test } from 'vitest'
import type { AuditLine } from '#cloud/control/audit-list.ts'
import { words } from '#cloud/web/messages/audit-en.ts'
import { asId } from '#shared/ids.ts'
import { subjectWords } from './audit-words.ts'

const ID = '01jd3k5v8wz9x0y1a2b3c4d5e6'
const said = (prefix: string, about: AuditLine['about'] = null, subjectName: string | null = null) =>
  subjectWords(
    { subject: `${prefix}_${ID}`, subjectName, about },
    { t: words.things, roles: { manager: 'Manager' }, mails: { test: 'Test mail' } },
  )

test('a thing has its name, or what it belongs to, or its kind', () => {
  const order = { serviceOrderId: asId<'ord'>('ord_1'), number: '41' }
  expect([
    said('psk', null, 'Phone'),
    said('pj', { kind: 'job', order }),
    said('pj', { kind: 'job', order: null }),
    said('cod', { kind: 'invitation', role: 'manager', email: 'ana@bistro.test' }),
    said('cod', { kind: 'invitation', role: 'operator', email: null }),
    said('ntc', { kind: 'mail', notice: 'test' }),
    said('ntc', { kind: 'mail', notice: 'of-a-newer-relay' }),
  ]).toEqual([
    'Phone',
    'Print job of order 41',
    'Print job',
    'Invitation, Manager: ana@bistro.test',
    'Invitation, operator of the relay',
    'Mail: Test mail',
    'Mail: of-a-newer-relay',
  ])
})

test('what is gone is called by its kind, and what has no words by its id alone', () => {
  expect(['psk', 'cod', 'ntc', 'pj'].map((prefix) => said(prefix))).toEqual([
    'Passkey',
    'Invitation',
    'Mail',
    'Print job',
  ])
  expect([said('constructor'), said('xyz')]).toEqual([null, null])
})
