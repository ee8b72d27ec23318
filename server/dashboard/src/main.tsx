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
const root = document.getElementById('app');
if (root === null) throw new Error('index.html has no place for the application');
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
