import { render } from 'preact'
import { App } from './app.tsx'
import './style.css'

const place = document.getElementById('app')
// On a slow network, a form that works without a script may be in use already. It stays.
const isInUse = [...document.querySelectorAll('input')].some(
  (input) => input.value !== '' || input.matches(':focus'),
)
if (place && !isInUse) {
  place.replaceChildren()
  render(<App />, place)
}
