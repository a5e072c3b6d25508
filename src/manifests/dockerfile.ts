import { instructionsOf } from './dockerfile-lines.ts'
import { imageMention } from './image-reference.ts'
import { ManifestError, type Mention } from './manifest.ts'
import { substitute } from './variables.ts'

/**
 * The images on which a Dockerfile builds or from which it copies, in every stage: software that builds runs too.
 * Throws ManifestError.
 */
export function* readDockerfile(content: string): Generator<Mention> {
  const values = new Map<string, string>()
  const stages = new Set(['scratch'])
  let hasStage = false
  for (const instruction of instructionsOf(content)) {
    const [verb = '', ...words] = instruction.trim().split(/\s+/)
    const flags = words.slice(
      0,
      words.findIndex((word) => !word.startsWith('--')),
    )
    switch (verb.toUpperCase()) {
      // FROM knows only the arguments before the first stage.
      case 'ARG':
        if (!hasStage) takeArguments(words, values)
        break
      case 'FROM': {
        hasStage = true
        const [image = '', , stage] = words.filter((word) => !word.startsWith('--'))
        yield* mentionOf(substitute(unquoted(image), values), stages)
        if (stage !== undefined) stages.add(stage.toLowerCase())
        break
      }
      case 'COPY':
      case 'RUN':
        for (const image of flags.flatMap(sourceOf)) yield* mentionOf(image, stages)
        break
    }
  }
  if (!hasStage) throw new ManifestError('It is no Dockerfile: it has no FROM.')
}

function takeArguments(words: readonly string[], values: Map<string, string>): void {
  for (const word of words) {
    const equals = word.indexOf('=')
    if (equals > 0) values.set(word.slice(0, equals), substitute(unquoted(word.slice(equals + 1)), values))
  }
}

/** The image in `--from=image` or `--mount=type=bind,from=image`; a number is a stage. */
function sourceOf(flag: string): string[] {
  const image = /^--from=(.+)$/.exec(flag)?.[1] ?? /^--mount=(?:[^,]*,)*?from=([^,]+)/.exec(flag)?.[1]
  return image === undefined || /^\d+$/.test(image) ? [] : [image]
}

function* mentionOf(image: string, stages: ReadonlySet<string>): Generator<Mention> {
  const mention = stages.has(image.toLowerCase()) ? null : imageMention(image)
  if (mention !== null) yield mention
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2')
}
