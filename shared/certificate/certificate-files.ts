// Reads a certificate and its key from two PEM files, and checks them before they are used.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync, type Stats, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { codeOf } from '#shared/code-of.ts'

export interface KeyAndCertificate {
  /** PEM, PKCS #8. */
  key: string
  /** PEM. */
  certificate: string
}

export interface CertificateFiles {
  /** PEM: the certificate of this machine, then the intermediate certificates. */
  certificateFile: string
  /** PEM, without a passphrase. */
  keyFile: string
}

/** Why the files cannot be used: names the file and what to do. */
export class UnusableCertificate extends Error {
  override readonly name = 'UnusableCertificate'
}

/** Rights of users who are neither the owner of a file nor in its group. */
const OF_EVERYBODY = 0o007

/** Changes when one of the files does, or its rights. */
export function versionOf({ certificateFile, keyFile }: CertificateFiles): string {
  return [certificateFile, keyFile]
    .map((file) => {
      const found = statOf(file)
      return found ? `${found.ino} ${found.size} ${found.ctimeMs}` : 'none'
    })
    .join(', ')
}

/** Whether every user of this machine may do something with the file. */
export function isOpenToEverybody(file: string): boolean {
  return ((statOf(file)?.mode ?? 0) & OF_EVERYBODY) !== 0
}

/** Null: it does not exist, or this user may not check. */
function statOf(file: string): Stats | null {
  try {
    return statSync(file)
  } catch {
    return null
  }
}

/** @throws UnusableCertificate */
export function readProvidedCertificate({ certificateFile, keyFile }: CertificateFiles): KeyAndCertificate {
  const pair = { certificate: textOf(certificateFile), key: textOf(keyFile) }
  checkPair(pair, { certificateFile, keyFile })
  return pair
}

/**
 * @param files where the pair comes from, for the words
 * @returns the certificate of this machine. @throws UnusableCertificate where the two do not belong together, or cannot be served
 */
export function checkPair(pair: KeyAndCertificate, { certificateFile, keyFile }: CertificateFiles): X509Certificate {
  const leaf = leafOf(pair.certificate, certificateFile)
  if (!leaf.checkPrivateKey(keyOf(pair.key, keyFile)))
    throw new UnusableCertificate(`the key in ${keyFile} does not belong to the certificate in ${certificateFile}`)
  checkUse(pair, certificateFile)
  return leaf
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: ': let the user that this program runs as read it',
  ENOENT: ': there is no such file',
}

/** A chain has some kilobytes; reading gigabytes would hold up the whole program. */
const MOST_BYTES = 2 ** 20

function textOf(file: string): string {
  try {
    // A pipe would block the whole program until something writes into it.
    const found = statSync(file)
    if (!found.isFile())
      throw new UnusableCertificate(`${file} is no regular file: put the certificate and its key there as two files`)
    if (found.size > MOST_BYTES)
      throw new UnusableCertificate(`${file} has ${found.size} bytes: no certificate and no key is larger than 1 MiB`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof UnusableCertificate) throw error
    const code = codeOf(error) || 'unknown'
    throw new UnusableCertificate(`${file} cannot be read (${code})${ADVICE[code] ?? ''}`, { cause: error })
  }
}

function leafOf(certificate: string, file: string): X509Certificate {
  let leaf: X509Certificate
  try {
    if (!certificate.includes('-----BEGIN CERTIFICATE-----')) throw new Error('no PEM')
    leaf = new X509Certificate(certificate)
  } catch (error) {
    throw new UnusableCertificate(`${file} holds no certificate: it must begin with one in PEM form`, { cause: error })
  }
  // OpenSSL's words. Their dates would not show it: from invalid data Node makes an arbitrary one.
  if ([leaf.validFrom, leaf.validTo].includes('Bad time value'))
    throw new UnusableCertificate(`the certificate in ${file} does not say in dates from when to when it is valid`)
  return leaf
}

function keyOf(key: string, file: string): KeyObject {
  try {
    return createPrivateKey(key)
  } catch (error) {
    const isLocked = codeOf(error) === 'ERR_MISSING_PASSPHRASE'
    const why =
      isLocked || key.includes('ENCRYPTED')
        ? 'its key has a passphrase: store it without'
        : 'it holds no private key in PEM form'
    throw new UnusableCertificate(`${file} cannot be used: ${why}`, { cause: error })
  }
}

/** What OpenSSL will not serve, such as a key that is too short. */
function checkUse({ key, certificate }: KeyAndCertificate, file: string): void {
  try {
    createSecureContext({ key, cert: certificate })
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    throw new UnusableCertificate(`${file} cannot be served (${why})`, { cause: error })
  }
}
