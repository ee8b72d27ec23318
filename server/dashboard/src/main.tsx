// Where the application starts.
import {render} from 'preact';
import {App} from './app/app';
import {ReferenceProvider} from './app/reference';
import {RouterProvider} from './app/router';
import {SessionProvider} from './app/session';
import {applyTheme, chosenTheme} from './app/theme';
import './styles/base.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/pages.css';
import './styles/print.css';

applyTheme(chosenTheme());
// What index.html shows until here is the frame that all pages have: the same place, other words.
const root = document.getElementById('app') as HTMLElement;
// In a task of its own, after that in which the script was read.
setTimeout(() => {
  root.replaceChildren();
  render(
    <RouterProvider>
      <SessionProvider>
        <ReferenceProvider>
          <App />
        </ReferenceProvider>
      </SessionProvider>
    </RouterProvider>,
    root,
  );
});
