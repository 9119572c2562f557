import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

export interface WindowRows {
  first: number
  last: number
}

/** Additional rows beyond the edges, so that fast scrolling shows no gaps. */
const beyond = 12
/** Rows are added in steps, so that most scroll events render nothing. */
const stride = 6

/** Which rows of a fixed height are in view. The whole page scrolls, not the list. */
export function useWindowRows(
  body: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): WindowRows {
  const [rows, setRows] = useState<WindowRows>({ first: 0, last: 40 })
  useLayoutEffect(() => {
    let frame = 0
    const measure = () => {
      frame = 0
      const top = body.current?.getBoundingClientRect().top ?? 0
      const above = Math.floor(-top / rowHeight / stride) * stride
      const inSight = Math.ceil(innerHeight / rowHeight / stride + 1) * stride
      const first = Math.max(0, Math.min(above - beyond, count - inSight))
      const last = Math.min(count, Math.max(0, above) + inSight + beyond)
      setRows((known) => (known.first === first && known.last === last ? known : { first, last }))
    }
    const soon = () => {
      frame ||= requestAnimationFrame(measure)
    }
    measure()
    addEventListener('scroll', soon, { passive: true })
    addEventListener('resize', soon)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', soon)
      removeEventListener('resize', soon)
    }
  }, [body, count, rowHeight])
  return rows
}
