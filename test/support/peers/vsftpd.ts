import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../certificates.ts'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon, writeCertificate } from './daemon.ts'

/** vsftpd on 127.0.0.1, stopped after the file; without a certificate it offers no TLS. */
export async function startVsftpd(wish: {
  certificate: Certificate | null
  /** TLS from the start, not by AUTH TLS. */
  isImplicit?: true
}): Promise<number> {
  const folder = scratchFolder('vsftpd')
  const port = await freePort()
  mkdirSync(join(folder, 'empty'), { mode: 0o555 })
  const path = join(folder, 'vsftpd.conf')
  const lines = [
    'listen=YES',
    'listen_address=127.0.0.1',
    `listen_port=${port}`,
    'background=NO',
    'anonymous_enable=YES',
    `secure_chroot_dir=${join(folder, 'empty')}`,
    'seccomp_sandbox=NO',
    `vsftpd_log_file=${join(folder, 'log')}`,
    ...tlsLines(folder, wish.certificate, wish.isImplicit === true),
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  await startDaemon(['vsftpd', path], { folder, ports: [port] })
  return port
}

function tlsLines(folder: string, certificate: Certificate | null, isImplicit: boolean): string[] {
  if (certificate === null) return ['ssl_enable=NO']
  const { cert, key } = writeCertificate(folder, certificate)
  return [
    'ssl_enable=YES',
    `implicit_ssl=${isImplicit ? 'YES' : 'NO'}`,
    `rsa_cert_file=${cert}`,
    `rsa_private_key_file=${key}`,
    'ssl_tlsv1=YES',
    'ssl_ciphers=HIGH',
    'require_ssl_reuse=NO',
  ]
}
