/**
 * What the process of the probers is given of the environment: how names of programs and times are read, where
 * temporary files lie, which authorities are trusted, how the system's resolver is asked, and Node's own options. No
 * variable of Perigee is among them.
 */
const names: readonly string[] = [
  'PATH',
  'TZ',
  'TMPDIR',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'OPENSSL_CONF',
  'RES_OPTIONS',
  'LOCALDOMAIN',
  'UV_THREADPOOL_SIZE',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'LD_LIBRARY_PATH',
]

export function proberEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}
