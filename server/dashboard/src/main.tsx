// Where the page starts.
import {render} from 'preact';

const root = document.getElementById('app');
if (root !== null) render(<h1>Freshet</h1>, root);
