// Opening a database on PostgreSQL over TLS: a certificate problem is one line for the operator with what to do.
import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CannotOpen } from '#cloud/storage/cannot-open.ts'
import { OpensslAuthority, type Wanted } from '#test/harness/openssl-authority.ts'
import { PostgresServer } from '#test/harness/postgres-server.ts'
import { PostgresDatabase } from './postgres-database.ts'

let authority: OpensslAuthority
let server: PostgresServer

beforeAll(async () => {
  authority = new OpensslAuthority()
  chmodSync(authority.dir, 0o755)
  server = await PostgresServer.start()
})
afterAll(async () => {
  await server.remove()
  authority.remove()
})

/** From now on it shows such a certificate. */
async function shows(wanted: Wanted): Promise<void> {
  const { certificateFile, keyFile } = authority.issue(wanted)
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', certificateFile, keyFile])
  await server.stop()
  await server.run({ ssl: 'on', ssl_cert_file: certificateFile, ssl_key_file: keyFile })
}

async function opens(...settings: string[]): Promise<void> {
  const url = `${server.url()}?${settings.join('&')}`
  await (await PostgresDatabase.open({ url, slots: 1, readers: 1 })).close()
}

/** What the operator reads behind the name of the database, and whether it may pass. */
async function refusalOf(...settings: string[]): Promise<[words: string, passes: boolean]> {
  const error = await opens(...settings).then(
    () => expect.unreachable('it was opened'),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CannotOpen)
  const { message, passes } = error as CannotOpen
  return [message.replace(`the database "postgres" at 127.0.0.1:${server.port} `, ''), passes]
}

const trusted = () => ['sslmode=verify-full', `sslrootcert=${authority.caFile}`]

describe('a server', () => {
  it('without TLS is distinguished from one that has it', async () => {
    expect(await refusalOf('sslmode=verify-full')).toEqual([
      'speaks no TLS: set `ssl = on` at the server, or take sslmode and the like out of DATABASE_URL',
      false,
    ])
  })

  it('whose certificate has no trusted issuer is opened when DATABASE_URL names the issuer', async () => {
    await shows({})
    expect(await refusalOf('sslmode=verify-full')).toEqual([
      'shows a certificate that this machine does not trust (UNABLE_TO_GET_ISSUER_CERT_LOCALLY): add sslrootcert=FILE to DATABASE_URL, with the certificate of the authority that signed it',
      false,
    ])
    await opens(...trusted())
  })

  it('whose certificate has expired may have a new one at the next start', async () => {
    await shows({ fromDays: -2, untilDays: -1 })
    expect(await refusalOf(...trusted())).toEqual([
      "shows a certificate that is not valid today (CERT_HAS_EXPIRED): renew it at the server that DATABASE_URL names, or set this machine's clock",
      true,
    ])
  })

  it('whose certificate is for another name is refused', async () => {
    await shows({ names: ['DNS:db.example'] })
    expect(await refusalOf(...trusted())).toEqual([
      'shows a certificate for another host name: DATABASE_URL must name the host as its certificate does',
      false,
    ])
  })
})

describe('a file that DATABASE_URL names', () => {
  it('must be there', async () => {
    expect(await refusalOf('sslmode=verify-full', 'sslrootcert=/none/root.pem')).toEqual([
      "DATABASE_URL names the file /none/root.pem, which cannot be read (ENOENT): correct its sslrootcert, sslcert or sslkey, or let the relay's user read the file",
      false,
    ])
  })

  it('must hold a certificate', async () => {
    const file = join(authority.dir, 'no.pem')
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n')
    const [words, passes] = await refusalOf('sslmode=verify-full', `sslrootcert=${file}`)
    expect(words).toMatch(/look at sslmode and the like in DATABASE_URL|does not trust/)
    expect(passes).toBe(false)
  })
})
