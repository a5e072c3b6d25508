// What shells complete commands by, and the page of the manual, as the release brings them.
import { gzipSync } from 'node:zlib'
import { bashCompletion } from '#cli/definitions/bash-completion.ts'
import { fishCompletion } from '#cli/definitions/fish-completion.ts'
import { definitions } from '#cli/definitions/index.ts'
import { manualOf } from '#cli/definitions/manual.ts'
import { completedCommands } from '#cli/definitions/shells.ts'
import { zshCompletion } from '#cli/definitions/zsh-completion.ts'
import { type Entry, fileEntry } from './entries.ts'
import { release } from './release-facts.ts'

/** In the archive, below a folder to be copied from. */
export function shellEntries(): Entry[] {
  const commands = completedCommands(definitions)
  return [
    fileEntry('share/perigee.1', manualOf(definitions, release.version)),
    fileEntry('share/perigee.bash', bashCompletion(commands)),
    fileEntry('share/_perigee', zshCompletion(commands)),
    fileEntry('share/perigee.fish', fishCompletion(commands)),
  ]
}

/** Where Debian's shells and its man look for them. */
export function installedShellEntries(): Entry[] {
  const commands = completedCommands(definitions)
  return [
    fileEntry('usr/share/man/man1/perigee.1.gz', gzipSync(manualOf(definitions, release.version), { level: 9 })),
    fileEntry('usr/share/bash-completion/completions/perigee', bashCompletion(commands)),
    fileEntry('usr/share/zsh/vendor-completions/_perigee', zshCompletion(commands)),
    fileEntry('usr/share/fish/vendor_completions.d/perigee.fish', fishCompletion(commands)),
  ]
}
