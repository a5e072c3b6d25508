import type { Plugin } from 'vite'

export type Bundling = {
  root: string
  /** Paths of programs by the names under which they are written. */
  input: Readonly<Record<string, string>>
  outDir: string
  /** Says where modules find the files beside their sources. */
  plugin: Plugin
  /** A file for the licences of the libraries in the bundle. */
  licences?: string
}

/** Makes programs of the service's sources and libraries, each a file `<name>.mjs` beside the parts that they share. */
export async function bundleProgram({ root, input, outDir, plugin, licences }: Bundling): Promise<void> {
  const { build } = await import('vite')
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [plugin],
    // Koffi loads a native library from its own folder, and pg asks for pg-native, which is not installed.
    ssr: { noExternal: true, external: ['koffi', 'pg-native'] },
    build: {
      ssr: true,
      target: 'node24',
      outDir,
      emptyOutDir: false,
      ...(licences === undefined ? {} : { license: { fileName: licences } }),
      // Names remain, so that a stack trace can be read without a source map.
      minify: false,
      rolldownOptions: {
        input: { ...input },
        // A process keeps the text of its program in memory; comments are an eighth of it. Licences have a file of their own.
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs', comments: false },
      },
    },
  })
}
