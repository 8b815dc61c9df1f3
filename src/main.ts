console.log('copane');
