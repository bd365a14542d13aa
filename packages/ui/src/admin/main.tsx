import { render } from 'preact'
import { App } from './app.tsx'
import '../style.css'
import './admin.css'

const place = document.getElementById('app')
if (place) {
  place.replaceChildren()
  render(<App />, place)
}
