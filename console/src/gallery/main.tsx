// The gallery of components, for development only: the build of the console does not contain it.
import { render } from 'solid-js/web'
import '../styles/index.css'
import { applyTheme } from '../context/theme.ts'
import { loadMessages } from '../i18n/translate.ts'
import { startTooltips } from '../ui/tooltip.ts'
import { Gallery } from './gallery.tsx'

applyTheme()
startTooltips()
const root = document.getElementById('root')
if (root) void loadMessages().then(() => render(() => <Gallery />, root))
