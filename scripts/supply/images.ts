// Refuses images of containers that are not named by their digest: behind a tag there may be another image tomorrow.
import { basename } from 'node:path'

type Source = { file: string; text: string }

/** What the release makes itself: its digest is known after the release alone (docs/supply-chain.md). */
const own = /^(?:registry\.example\.com\/)?perigee:/
const digest = /@sha256:[0-9a-f]{64}$/
/** Compose, Kubernetes, GitLab and the workflows of GitHub. A line that ends after the key opens a block. */
const yamlImage = /(?:^|[\s{-])(?:image|container):[ \t]+(?:&\S+[ \t]+)?["']?([^\s"'#,}]+)/g
const workflowImage = /\buses:[ \t]+["']?docker:\/\/([^\s"'#]+)/g
const stage = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i
const copied = /^\s*(?:COPY|RUN)\s.*(?:--from=|[,=]from=)([^\s,]+)/i

export function isImageFile(path: string): boolean {
  return /^(?:Docker|Container)file/.test(basename(path)) || /\.ya?ml$/.test(path)
}

/** A sentence for each image without a digest, with the line that names it. */
export function imageProblems({ file, text }: Source): string[] {
  const lines = text.split('\n')
  const named = /\.ya?ml$/.test(file) ? yamlImages(lines) : buildImages(lines)
  return named
    .filter(({ image }) => !own.test(image) && !digest.test(image))
    .map(({ image, line }) => `${file}:${line} takes the image ${image}, which is not pinned by a digest.`)
}

type Named = { image: string; line: number }

function yamlImages(lines: readonly string[]): Named[] {
  return lines.flatMap((text, index): Named[] => {
    const uncommented = text.replace(/(?:^|\s)#.*$/, '')
    return (
      [...uncommented.matchAll(yamlImage), ...uncommented.matchAll(workflowImage)]
        .map(([, image = '']) => ({ image, line: index + 1 }))
        // A template of Helm or an alias of YAML has its image from elsewhere.
        .filter(({ image }) => !/^(?:\{\{|\*)/.test(image))
    )
  })
}

/** Of a Dockerfile. An image in a variable is refused too, because its digest does not stand there. */
function buildImages(lines: readonly string[]): Named[] {
  const stages = new Set(['scratch'])
  return lines.flatMap((text, index): Named[] => {
    const [, base, name] = stage.exec(text) ?? []
    const image = base ?? copied.exec(text)?.[1]
    const isStage = image === undefined || stages.has(image.toLowerCase()) || /^\d+$/.test(image)
    if (name !== undefined) stages.add(name.toLowerCase())
    return isStage ? [] : [{ image, line: index + 1 }]
  })
}
