import { ManifestError } from './manifest.ts'

/**
 * The text of a file. Windows' tools write UTF-16 with a byte order mark; any other file is UTF-8. Throws ManifestError
 * for a pointer to content that is kept elsewhere.
 */
export function manifestText(bytes: Uint8Array): string {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes)
  if (text.startsWith(pointerHead))
    throw new ManifestError('It is kept in Git LFS, which is not read; keep manifests in git itself.')
  return text
}

/** The first line of a pointer file (Git LFS Specification, "The Pointer"). */
const pointerHead = 'version https://git-lfs.github.com/spec/v1\n'

function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return 'utf-8'
}
