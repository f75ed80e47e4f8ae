// SPDX-FileCopyrightText: The Slipstick authors
// SPDX-License-Identifier: MIT
//
// Model files from the disk: chosen, or dropped anywhere on the page.
import { el } from './dom';

const MOST_BYTES = 2e6; // bytes of a model file; what is larger is none

export class Files {
    private readonly input = el('input', { type: 'file', accept: '.yaml,.yml,.txt,text/yaml,text/plain', hidden: true, 'aria-label': 'Model file', id: 'file' });

    /** opened: gets the name and the text of a file; refused: gets a word on what cannot be one. */
    constructor(private readonly opened: (name: string, text: string) => void, private readonly refused: (why: string) => void) {
        document.body.append(this.input);
        this.input.addEventListener('change', () => {
            void this.read(this.input.files?.[0]);
            this.input.value = ''; // the same file may be chosen again
        });
        const carries = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
        document.addEventListener('dragover', (event) => {
            if (!carries(event)) return;
            event.preventDefault();
            document.body.classList.add('dropping');
        });
        document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) document.body.classList.remove('dropping'); });
        document.addEventListener('drop', (event) => {
            if (!carries(event)) return;
            event.preventDefault();
            document.body.classList.remove('dropping');
            void this.read(event.dataTransfer?.files[0]);
        });
    }

    choose(): void { this.input.click(); }

    private async read(file: File | undefined): Promise<void> {
        if (!file) return;
        const text = file.size <= MOST_BYTES ? await file.text() : '';
        if (!text.trim() || text.includes('\0')) this.refused(`${file.name} is no model file: a model is a text, such as those that “Model (YAML)” saves.`);
        else this.opened(file.name.replace(/\.(ya?ml|txt)$/i, ''), text);
    }
}
