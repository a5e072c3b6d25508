/** A line of a file, counted from 1. */
export type Place = { file: string; line: number }

/** `path` is where it stands within its entry, such as `steps.0.url`; empty for a file or an entry as a whole. */
export type ProjectProblem = { place: Place; path: string; message: string }

const shownProblems = 50

/** What is wrong with the files of a project, all of it at once. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
  readonly problems: readonly ProjectProblem[]

  constructor(problems: readonly ProjectProblem[]) {
    super(messageOf(problems))
    this.problems = problems
  }
}

export function refused(place: Place, message: string): ProjectError {
  return new ProjectError([{ place, path: '', message }])
}

function messageOf(problems: readonly ProjectProblem[]): string {
  const lines = problems.slice(0, shownProblems).map(lineOf)
  const more = problems.length - shownProblems
  return [...lines, ...(more > 0 ? [`… and ${more} more.`] : [])].join('\n')
}

/** As compilers write it, so that editors lead there. */
function lineOf({ place: { file, line }, path, message }: ProjectProblem): string {
  return `${file}:${line}: ${path === '' ? '' : `${path}: `}${message}`
}
