// A certificate that the owner of the box put in: read from two PEM files, checked before it is used.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { KeyAndCertificate } from './self-signed.ts'

export interface CertificateFiles {
  /** PEM: the certificate of the box, then the intermediate certificates. */
  certificateFile: string
  /** PEM, without a passphrase. */
  keyFile: string
}

/** Why the files cannot be used: names the file and what to do. */
export class UnusableCertificate extends Error {
  override readonly name = 'UnusableCertificate'
}

/** Changes when one of the files does. */
export function versionOf({ certificateFile, keyFile }: CertificateFiles): string {
  return [certificateFile, keyFile]
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false })
      return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'none'
    })
    .join(', ')
}

/** @throws UnusableCertificate */
export function readProvidedCertificate({ certificateFile, keyFile }: CertificateFiles): KeyAndCertificate {
  const pair = { certificate: textOf(certificateFile), key: textOf(keyFile) }
  checkPair(pair, { certificateFile, keyFile })
  return pair
}

/**
 * @param files where the pair comes from, for the words
 * @returns the certificate of the box. @throws UnusableCertificate where the two do not belong together, or cannot be served
 */
export function checkPair(pair: KeyAndCertificate, { certificateFile, keyFile }: CertificateFiles): X509Certificate {
  const leaf = leafOf(pair.certificate, certificateFile)
  if (!leaf.checkPrivateKey(keyOf(pair.key, keyFile)))
    throw new UnusableCertificate(`the key in ${keyFile} does not belong to the certificate in ${certificateFile}`)
  checkUse(pair, certificateFile)
  return leaf
}

function textOf(file: string): string {
  try {
    // A pipe would hold up the whole gateway until somebody writes into it.
    if (!statSync(file).isFile())
      throw new UnusableCertificate(`${file} is no regular file: put the certificate and its key there as two files`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof UnusableCertificate) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const advice = code === 'EACCES' ? 'let the user of the gateway read it' : 'is it there?'
    throw new UnusableCertificate(`${file} cannot be read (${code}): ${advice}`, { cause: error })
  }
}

function leafOf(certificate: string, file: string): X509Certificate {
  try {
    if (!certificate.includes('-----BEGIN CERTIFICATE-----')) throw new Error('no PEM')
    return new X509Certificate(certificate)
  } catch (error) {
    throw new UnusableCertificate(`${file} holds no certificate: it must begin with one in PEM form`, { cause: error })
  }
}

function keyOf(key: string, file: string): KeyObject {
  try {
    return createPrivateKey(key)
  } catch (error) {
    const isLocked = error instanceof Error && 'code' in error && error.code === 'ERR_MISSING_PASSPHRASE'
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
