/** Stands for a text that its reader may not know. */
export const mask = '••••••••'

/** Whether a text that was sent is, or holds, what only stands for another one. */
export function holdsMask(text: string): boolean {
  return text.includes(mask) || text.includes(encodeURI(mask))
}

export const maskProblem = `Holds ${mask}, which stands for what was not shown. Send the whole text, or leave the field out.`
