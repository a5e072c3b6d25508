import uPlot from 'uplot'
import { type Drawing, isLimitDrawn, marksLines } from './chart.ts'
import type { Style } from './scheme.ts'

/** Beneath the lines: what happened in a stretch of time. */
export function drawBands(chart: uPlot, { bands, range }: Drawing, { colour }: Style): void {
  const { ctx, bbox } = chart
  ctx.save()
  for (const { from, to, of } of bands) {
    const [left, right] = [Math.max(from, range[0]), Math.min(to, range[1])]
    if (right < left) continue
    const x = chart.valToPos(left, 'x', true)
    // One that lasted for less than a pixel is seen, too.
    const width = Math.max(chart.valToPos(right, 'x', true) - x, 2 * uPlot.pxRatio)
    ctx.fillStyle = colour(of === 'incident' ? '--bad-soft' : '--sunken')
    ctx.fillRect(x, bbox.top, width, bbox.height)
    if (of === 'maintenance') hatch({ ctx, bbox }, { x, width, colour: colour('--line') })
  }
  ctx.restore()
}

type Canvas = Pick<uPlot, 'ctx' | 'bbox'>

/** Told from an incident by its pattern, too. */
function hatch({ ctx, bbox }: Canvas, { x, width, colour }: { x: number; width: number; colour: string }): void {
  const { top, height } = bbox
  ctx.save()
  ctx.beginPath()
  ctx.rect(x, top, width, height)
  ctx.clip()
  ctx.strokeStyle = colour
  ctx.lineWidth = uPlot.pxRatio
  ctx.beginPath()
  for (let at = x - height; at < x + width; at += 8 * uPlot.pxRatio) {
    ctx.moveTo(at, top + height)
    ctx.lineTo(at + height, top)
  }
  ctx.stroke()
  ctx.restore()
}

/** Upon the lines: the limit, degraded checks, and failed ones, which have no response time and stand on the axis. */
export function drawMarks(chart: uPlot, drawing: Drawing, style: Style): void {
  const { ctx } = chart
  ctx.save()
  if (isLimitDrawn(drawing)) drawLimit(chart, drawing, style)
  drawDegraded(chart, drawing, style)
  drawFailed(chart, drawing, style)
  ctx.restore()
}

function drawLimit(chart: uPlot, { limitMs }: Drawing, { colour }: Style): void {
  const { ctx, bbox } = chart
  const y = chart.valToPos(limitMs ?? 0, 'y', true)
  ctx.save()
  ctx.strokeStyle = colour('--warn')
  ctx.lineWidth = uPlot.pxRatio
  ctx.setLineDash([6 * uPlot.pxRatio, 4 * uPlot.pxRatio])
  ctx.beginPath()
  ctx.moveTo(bbox.left, y)
  ctx.lineTo(bbox.left + bbox.width, y)
  ctx.stroke()
  ctx.restore()
}

/** Diamonds, as everywhere where something is degraded. */
function drawDegraded(chart: uPlot, drawing: Drawing, { colour }: Style): void {
  const { ctx, bbox } = chart
  const { times, lines, degraded, isStacked } = drawing
  const size = 4 * uPlot.pxRatio
  ctx.fillStyle = colour('--warn')
  ctx.strokeStyle = colour('--surface')
  ctx.lineWidth = uPlot.pxRatio
  const mark = (index: number, y: number): void => diamond(ctx, [chart.valToPos(times[index] ?? 0, 'x', true), y], size)
  if (!marksLines(drawing) || isStacked) {
    for (const [index, count] of degraded.entries()) if (count > 0) mark(index, bbox.top + bbox.height - size)
    return
  }
  for (const { values, isDegraded = [] } of lines)
    for (const [index, isSo] of isDegraded.entries()) {
      const value = values[index]
      if (isSo && typeof value === 'number') mark(index, chart.valToPos(value, 'y', true))
    }
}

function diamond(ctx: CanvasRenderingContext2D, [x, y]: readonly [number, number], size: number): void {
  ctx.beginPath()
  ctx.moveTo(x, y - size)
  ctx.lineTo(x + size, y)
  ctx.lineTo(x, y + size)
  ctx.lineTo(x - size, y)
  ctx.closePath()
  ctx.fill()
  ctx.stroke()
}

function drawFailed(chart: uPlot, { times, failures }: Drawing, { colour }: Style): void {
  const { ctx, bbox } = chart
  const foot = bbox.top + bbox.height
  const [width, tall] = [4 * uPlot.pxRatio, 10 * uPlot.pxRatio]
  ctx.fillStyle = colour('--bad')
  for (const [index, count] of failures.entries()) {
    if (count === 0) continue
    ctx.fillRect(chart.valToPos(times[index] ?? 0, 'x', true) - width / 2, foot - tall, width, tall)
  }
}
