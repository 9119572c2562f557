/** Scrolls to a turn of the open case. */
export function TurnLink({ turn }: { turn: number }) {
  const go = () => {
    const element = document.getElementById(`turn-${turn}`)
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    element?.scrollIntoView({ behavior: calm ? 'auto' : 'smooth', block: 'start' })
    element?.focus({ preventScroll: true })
  }
  return (
    <button type="button" class="turn-link" onClick={go}>
      turn {turn}
    </button>
  )
}
