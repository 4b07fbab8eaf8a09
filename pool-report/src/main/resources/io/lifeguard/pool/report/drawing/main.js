import { readEmbedded } from './data.js';
import { Picture, find } from './picture.js';

// The report: draws the recordings that are embedded in the page.
readEmbedded(find('#recording')).then(
  (data) => {
    window.picture = new Picture(data);
    performance.mark('drawn');
    document.documentElement.dataset.ready = 'true';
  },
  (error) => {
    find('#when').textContent = `The recording in this page cannot be read: ${error.message}`;
    throw error;
  },
);
