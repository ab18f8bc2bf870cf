// How the page calls the fields that a refusal of the box names: as its forms do.
import type { RefusalNames } from '#shared/ui/problem-words.ts'
import type { Messages } from './messages/en.ts'

export const REFUSALS: RefusalNames<Messages> = {
  moreBehind: new Set(['pairing.unreachable', 'pairing.relay-refused', 'pairing.not-stored', 'backup.unusable']),
  labels: (t) => ({
    name: t.printer.name,
    host: t.printer.address,
    port: t.printer.port,
    profileId: t.printer.profile,
    stations: t.printer.stations,
    papers: t.printer.papers,
    copies: t.printer.copies,
    columns: t.printer.columns,
    codePages: t.printer.codePages,
    beeps: t.printer.beeps,
    mac: t.printer.mac,
    backupPrinterId: t.printer.backup,
    backupAfterMs: t.printer.backupAfter,
    backupWhenDoubtfulAfterMs: t.printer.backupDoubtful,
    staleAfterMs: t.printer.staleAfter,
    staleAboveTickets: t.printer.staleAbove,
    timeZone: t.settings.timeZone,
    language: t.settings.language,
    password: t.signIn.password,
    ownPassword: t.settings.ownPassword,
    passphrase: t.care.passphrase,
    people: t.care.people,
    code: t.printer.test.code,
    number: t.printer.test.code,
    station: t.stations.station,
    soonMin: t.late.soonAfter,
    lateMin: t.late.lateAfter,
    relayUrl: t.pairing.relay,
    from: t.report.from,
    to: t.report.to,
  }),
}
